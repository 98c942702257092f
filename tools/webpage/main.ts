// The page: starts the firmware and connects it with screen, keys, speaker and saves.

document.documentElement.dataset["ready"] = "yes";
