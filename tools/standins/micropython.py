"""`micropython` on CPython: the decorators and `const` do nothing."""


def const(value):
    """MicroPython's compiler puts the value where the name stands; here the name stays a name."""
    return value


def _same(function):
    return function


viper = native = _same


def heap_lock():
    """There is no heap to lock; tests of allocation run on MicroPython."""


def heap_unlock():
    """The other half of `heap_lock`; 0 locks are left."""
    return 0


def alloc_emergency_exception_buf(_size):
    """CPython can always allocate an exception."""


def mem_info(_verbose=None):
    """Nothing to say here."""


def kbd_intr(_char):
    """Ctrl-C stays as it is."""
