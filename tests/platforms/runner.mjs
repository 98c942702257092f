// Runs functions of a portable module on the 32-bit MicroPython:
// node runner.mjs MICROPYTHON.mjs ROOT MODULE FUNCTION...
// Each function is a call of its own, as memory is collected only between calls from here.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [interpreter, root, module, ...functions] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(interpreter));

let unprinted = "";
const micropython = await loadMicroPython({
    heapsize: 4 << 20,
    linebuffer: true,
    stdout: (line) => { unprinted += line + "\n"; },
});

function copy(from, to) {
    micropython.FS.mkdirTree(to);
    for (const entry of readdirSync(from, { withFileTypes: true })) {
        if (entry.isDirectory()) copy(join(from, entry.name), `${to}/${entry.name}`);
        else micropython.FS.writeFile(`${to}/${entry.name}`, readFileSync(join(from, entry.name)));
    }
}

copy(root, "/cairn");
const here = dirname(fileURLToPath(import.meta.url));
micropython.FS.writeFile("/cairn/runner.py", readFileSync(join(here, "runner.py")));
micropython.FS.chdir("/cairn");

try {
    micropython.runPython("import sys; sys.path.insert(0, '/cairn'); import runner");
    for (const call of functions) {
        micropython.runPython(`runner.run_one(${JSON.stringify(module)}, ${JSON.stringify(call)})`);
        process.stdout.write(unprinted);
        unprinted = "";
    }
} catch (fault) {
    // The interpreter's own exit code is 0 whatever happened.
    process.stdout.write(unprinted);
    console.error(String(fault.stack ?? fault));
    process.exitCode = 1;
}
