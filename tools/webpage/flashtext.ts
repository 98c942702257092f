// The texts of flashing, in the languages of the page.

import { type FlashResult, type Progress } from "./flash.js";
import { type Fault, type FaultKind } from "./serial.js";
import { filled } from "./texts.js";
import { type Stage } from "./update.js";

/** What is said before, around and after. `{word}` stands for what is filled in. */
export interface FlashTexts {
  readonly button: string;
  readonly stop: string;
  readonly kit: string;
  readonly replace: string;
  /** Beside the button. */
  readonly explain: string;
  /** In place of the button, in a browser that has no WebSerial. */
  readonly noSerial: string;
  /** The same, where it is the address that has no https. */
  readonly insecure: string;
  /** The browser's list was left without a choice. */
  readonly noneChosen: string;
  /** How MicroPython gets onto a bare Pico: a heading, a link's text, three steps. */
  readonly bare: string;
  readonly bareLink: string;
  readonly bareSteps: readonly [string, string, string];
  /** Without WebSerial: a heading, a button, what it does. */
  readonly uf2: string;
  readonly uf2Button: string;
  readonly uf2Explain: string;
  readonly uf2None: string;
  readonly stages: Readonly<Record<Stage, string>>;
  readonly faults: Readonly<Record<FaultKind, string>>;
  readonly fullUnknown: string;
  readonly fullOthers: string;
  readonly noReason: string;
  readonly outcomes: Readonly<Record<FlashResult["outcome"], string>>;
  readonly keptMain: string;
  readonly notSeen: string;
}

const en: FlashTexts = {
  button: "Flash my Pico",
  stop: "Stop",
  kit: "Kit",
  replace: "Remove the old firmware first (if the board has no room for two)",
  explain:
    "Plug the Pico in, press the button and choose it in the browser's list. Saves and other people's files stay. " +
    "Interrupted at any moment, it starts the old firmware or the new one.",
  noSerial:
    "This browser cannot reach a Pico: Chrome, Edge, Opera and Chromebooks can. In any other browser take the file below.",
  insecure:
    "This page came without https, so the browser does not let it reach a Pico. Open it from an address with https, or take " +
    "the file below.",
  noneChosen:
    "No board was chosen. If the list was empty: another cable (many only charge); a new Pico needs MicroPython first " +
    "(below).",
  bare: "The Pico is new, or its MicroPython is too old",
  bareLink: "MicroPython for this board",
  bareSteps: [
    "Download the newest .uf2 file of MicroPython.",
    "Hold the BOOTSEL button while plugging the Pico in. A drive appears.",
    "Drag the file onto the drive, which vanishes by itself. Then flash.",
  ],
  uf2: "Without WebSerial: drag and drop",
  uf2Button: "Download Cairn as a UF2 file",
  uf2Explain:
    "For a Pico that has MicroPython already: hold BOOTSEL while plugging it in, and drag this file onto the drive. " +
    "It replaces all files of the board, saves too.",
  uf2None: "For this board there is no such file.",
  stages: {
    connecting: "Connecting",
    looking: "Looking at the board",
    comparing: "Comparing",
    removing: "Removing the old firmware",
    clearing: "Clearing up",
    copying: "Copying on the board",
    sending: "Sending",
    checking: "Checking",
    starting: "Starting",
  },
  faults: {
    busy:
      "The port cannot be opened. Close what else uses it (Thonny, a serial terminal, another tab) and try again; " +
      "on Linux you may have to join the group dialout.",
    gone: "The board went away. Plug it in and try again; it starts what it had.",
    silent: "No answer in time. Unplug the board, plug it in again and try again; it starts what it had.",
    noMicroPython:
      "No MicroPython answers. If it is a board of ours, unplug it, plug it in again and try again; if it is new, it " +
      "needs MicroPython first.",
    garbled: "The answer was not understood. Unplug the board, plug it in again and try again; it starts what it had.",
    full:
      "The board's file system is full, about {kilobytes} KB are missing. {others}Or have the old firmware removed " +
      "first. It still starts what it had.",
    worn: "The board's flash memory does not work any more ({error}).",
    board: "An error on the board: {error}. It starts what it had.",
    tooOld: "MicroPython {version} is too old, {wanted} or newer is needed: put a newer one onto it (below); saves stay.",
    byteCode:
      "Its MicroPython {version} reads byte code {has}, this firmware is {wanted}: flash a Cairn that is made for it.",
    processor: "It cannot run machine code for {arch} (it is a {machine}): Cairn is for Picos.",
    wrong:
      "{path} arrived wrong. Try again, and if it stays so, another cable. The board still starts what it had.",
    notStarting: "All files arrived, but the new firmware does not start ({reason}). The board runs what it had.",
    stopped: "Stopped. The board starts what it had or the new firmware.",
    download: "{name} cannot be loaded, or is damaged. Reload the page and try again.",
  },
  fullUnknown: "The board's file system is full, no room is left. {others}Or have the old firmware removed first. " +
    "It still starts what it had.",
  fullOthers: "The largest files that are not Cairn's: {names}. ",
  noReason: "no reason given",
  outcomes: {
    installed: "Done: Cairn {after} is on it. {sent} files sent.",
    updated: "Done: Cairn {before} became {after}. {sent} files sent, {there} were there.",
    nothing: "Nothing to do: the board has Cairn {after}.",
  },
  keptMain: "The main.py that was on it is kept as {name}.",
  notSeen: "It was not seen to start: press its reset button or plug it in again.",
};

const fr: FlashTexts = {
  button: "Installer sur mon Pico",
  stop: "Arrêter",
  kit: "Kit",
  replace: "Supprimer d'abord l'ancien logiciel (si la carte n'a pas de place pour deux)",
  explain:
    "Branchez le Pico, appuyez sur le bouton et choisissez-le dans la liste du navigateur. Les parties et les fichiers des " +
    "autres restent. Interrompu à n'importe quel moment, il démarre l'ancien logiciel ou le nouveau.",
  noSerial:
    "Ce navigateur ne peut pas joindre un Pico : Chrome, Edge, Opera et les Chromebooks le peuvent. Avec un autre " +
    "navigateur, prenez le fichier plus bas.",
  insecure:
    "Cette page est venue sans https, et le navigateur ne la laisse pas joindre un Pico. Ouvrez-la à une adresse en https, " +
    "ou prenez le fichier plus bas.",
  noneChosen:
    "Aucune carte n'a été choisie. Si la liste était vide : un autre câble (beaucoup ne font que charger) ; un Pico neuf a " +
    "d'abord besoin de MicroPython (plus bas).",
  bare: "Le Pico est neuf, ou son MicroPython est trop vieux",
  bareLink: "MicroPython pour cette carte",
  bareSteps: [
    "Téléchargez le fichier .uf2 le plus récent de MicroPython.",
    "Branchez le Pico en tenant le bouton BOOTSEL. Un lecteur apparaît.",
    "Glissez le fichier sur le lecteur, qui disparaît de lui-même. Puis installez.",
  ],
  uf2: "Sans WebSerial : glisser-déposer",
  uf2Button: "Télécharger Cairn en fichier UF2",
  uf2Explain:
    "Pour un Pico qui a déjà MicroPython : branchez-le en tenant BOOTSEL, et glissez ce fichier sur le lecteur. Il " +
    "remplace tous les fichiers de la carte, les parties aussi.",
  uf2None: "Pour cette carte, ce fichier n'existe pas.",
  stages: {
    connecting: "Connexion",
    looking: "Lecture de la carte",
    comparing: "Comparaison",
    removing: "Suppression de l'ancien logiciel",
    clearing: "Nettoyage",
    copying: "Copie sur la carte",
    sending: "Envoi",
    checking: "Vérification",
    starting: "Démarrage",
  },
  faults: {
    busy:
      "Le port ne s'ouvre pas. Fermez ce qui l'utilise (Thonny, un terminal série, un autre onglet) et réessayez ; sous " +
      "Linux il faut parfois rejoindre le groupe dialout.",
    gone: "La carte a disparu. Branchez-la et réessayez ; elle démarre ce qu'elle avait.",
    silent: "Pas de réponse à temps. Débranchez la carte, rebranchez-la et réessayez ; elle démarre ce qu'elle avait.",
    noMicroPython:
      "Aucun MicroPython ne répond. Si c'est une de nos cartes, débranchez-la, rebranchez-la et réessayez ; si elle est " +
      "neuve, il lui faut d'abord MicroPython.",
    garbled:
      "La réponse n'a pas été comprise. Débranchez la carte, rebranchez-la et réessayez ; elle démarre ce qu'elle avait.",
    full:
      "La mémoire de la carte est pleine, il manque environ {kilobytes} Ko. {others}Ou faites supprimer d'abord l'ancien " +
      "logiciel. Elle démarre toujours ce qu'elle avait.",
    worn: "La mémoire flash de la carte ne fonctionne plus ({error}).",
    board: "Une erreur sur la carte : {error}. Elle démarre ce qu'elle avait.",
    tooOld:
      "MicroPython {version} est trop vieux, il faut {wanted} ou plus récent : mettez-en un plus récent (plus bas) ; les " +
      "parties restent.",
    byteCode:
      "Son MicroPython {version} lit le code {has}, ce logiciel est en {wanted} : installez un Cairn fait pour lui.",
    processor: "Elle ne peut pas exécuter du code pour {arch} (c'est : {machine}) : Cairn est pour les Pico.",
    wrong:
      "{path} est mal arrivé. Réessayez, et si cela continue, prenez un autre câble. La carte démarre toujours ce " +
      "qu'elle avait.",
    notStarting:
      "Tous les fichiers sont arrivés, mais le nouveau logiciel ne démarre pas ({reason}). La carte utilise celui " +
      "qu'elle avait.",
    stopped: "Arrêté. La carte démarre ce qu'elle avait ou le nouveau logiciel.",
    download: "{name} ne se charge pas, ou est abîmé. Rechargez la page et réessayez.",
  },
  fullUnknown:
    "La mémoire de la carte est pleine, il ne reste pas de place. {others}Ou faites supprimer d'abord l'ancien logiciel. " +
    "Elle démarre toujours ce qu'elle avait.",
  fullOthers: "Les plus gros fichiers qui ne sont pas de Cairn : {names}. ",
  noReason: "sans raison donnée",
  outcomes: {
    installed: "C'est fait : Cairn {after} est installé. Fichiers envoyés : {sent}.",
    updated: "C'est fait : de Cairn {before} à {after}. Fichiers envoyés : {sent}, déjà là : {there}.",
    nothing: "Rien à faire : la carte a Cairn {after}.",
  },
  keptMain: "Le main.py qui s'y trouvait est gardé sous le nom {name}.",
  notSeen: "On ne l'a pas vu démarrer : appuyez sur son bouton de remise à zéro ou rebranchez-le.",
};

const cs: FlashTexts = {
  button: "Nahrát do Pica",
  stop: "Zastavit",
  kit: "Sada",
  replace: "Nejdřív odstranit starý firmware (když na desce není místo pro dva)",
  explain:
    "Připoj Pico, stiskni tlačítko a vyber ho v seznamu prohlížeče. Uložené hry i cizí soubory zůstanou. Ať se to " +
    "přeruší kdykoli, spustí se starý firmware, nebo nový.",
  noSerial:
    "Tento prohlížeč se k Picu nedostane: Chrome, Edge, Opera a Chromebooky ano. V jiném prohlížeči si vezmi soubor níže.",
  insecure:
    "Stránka přišla bez https, a prohlížeč ji proto k Picu nepustí. Otevři ji z adresy s https, nebo si vezmi soubor níže.",
  noneChosen:
    "Nebyla vybrána žádná deska. Byl seznam prázdný? Zkus jiný kabel (mnohé jen nabíjejí); nové Pico potřebuje nejdřív " +
    "MicroPython (níže).",
  bare: "Pico je nové, nebo má příliš starý MicroPython",
  bareLink: "MicroPython pro tuto desku",
  bareSteps: [
    "Stáhni nejnovější soubor .uf2 s MicroPythonem.",
    "Drž tlačítko BOOTSEL a připoj Pico. Objeví se disk.",
    "Přetáhni soubor na disk, který sám zmizí. Pak nahrávej.",
  ],
  uf2: "Bez WebSerialu: přetažením",
  uf2Button: "Stáhnout Cairn jako soubor UF2",
  uf2Explain:
    "Pro Pico, které už MicroPython má: drž BOOTSEL, připoj ho a přetáhni tento soubor na disk. Nahradí všechny soubory " +
    "na desce, i uložené hry.",
  uf2None: "Pro tuto desku takový soubor není.",
  stages: {
    connecting: "Připojování",
    looking: "Čtení desky",
    comparing: "Porovnávání",
    removing: "Odstraňování starého firmwaru",
    clearing: "Úklid",
    copying: "Kopírování na desce",
    sending: "Odesílání",
    checking: "Kontrola",
    starting: "Spouštění",
  },
  faults: {
    busy:
      "Port nejde otevřít. Zavři, co ho ještě používá (Thonny, sériový terminál, jiná karta prohlížeče), a zkus to " +
      "znovu; v Linuxu je někdy třeba být ve skupině dialout.",
    gone: "Deska zmizela. Připoj ji a zkus to znovu; spustí se, co na ní bylo.",
    silent: "Odpověď nepřišla včas. Odpoj desku, znovu ji připoj a zkus to znovu; spustí se, co na ní bylo.",
    noMicroPython:
      "Žádný MicroPython neodpovídá. Je-li to naše deska, odpoj ji, znovu ji připoj a zkus to znovu; je-li nová, " +
      "potřebuje nejdřív MicroPython.",
    garbled: "Odpověď nedávala smysl. Odpoj desku, znovu ji připoj a zkus to znovu; spustí se, co na ní bylo.",
    full:
      "Paměť desky je plná, chybí asi {kilobytes} KB. {others}Nebo nech nejdřív odstranit starý firmware. Dál se spouští, " +
      "co na ní bylo.",
    worn: "Paměť flash desky už nefunguje ({error}).",
    board: "Chyba na desce: {error}. Spustí se, co na ní bylo.",
    tooOld:
      "MicroPython {version} je příliš starý, je potřeba {wanted} nebo novější: nahraj novější (níže); uložené hry " +
      "zůstanou.",
    byteCode: "MicroPython {version} na desce čte bajtkód {has}, tento firmware má {wanted}: nahraj Cairn, který je pro něj.",
    processor: "Neumí spustit strojový kód pro {arch} (je to {machine}): Cairn je pro Pico.",
    wrong:
      "Soubor {path} dorazil poškozený. Zkus to znovu, a když to nepomůže, vezmi jiný kabel. Deska dál spouští, co na ní " +
      "bylo.",
    notStarting: "Všechny soubory dorazily, ale nový firmware se nespustí ({reason}). Na desce běží, co na ní bylo.",
    stopped: "Zastaveno. Spustí se, co na desce bylo, nebo nový firmware.",
    download: "Soubor {name} nejde načíst, nebo je poškozený. Načti stránku znovu a zkus to znovu.",
  },
  fullUnknown:
    "Paměť desky je plná, nezbývá žádné místo. {others}Nebo nech nejdřív odstranit starý firmware. Dál se spouští, co " +
    "na ní bylo.",
  fullOthers: "Největší soubory, které nepatří Cairnu: {names}. ",
  noReason: "bez udání důvodu",
  outcomes: {
    installed: "Hotovo: je tam Cairn {after}. Odeslané soubory: {sent}.",
    updated: "Hotovo: z Cairnu {before} je {after}. Odeslané soubory: {sent}, už tam byly: {there}.",
    nothing: "Není co dělat: deska má Cairn {after}.",
  },
  keptMain: "Soubor main.py, který na ní byl, se teď jmenuje {name}.",
  notSeen: "Spuštění nebylo vidět: stiskni reset, nebo desku odpoj a připoj.",
};

/** By the code of the language. */
export const FLASH_TEXTS: Readonly<Record<"cs" | "en" | "fr", FlashTexts>> = { cs, en, fr };

/** One line on what went wrong, with the remedy. */
export function faultText(texts: FlashTexts, fault: Fault): string {
  const { names = "", kilobytes, reason } = fault.values;
  const others = names ? filled(texts.fullOthers, { names }) : "";
  const text = fault.kind === "full" && !kilobytes ? texts.fullUnknown : texts.faults[fault.kind];
  return filled(text, { ...fault.values, others, reason: reason || texts.noReason });
}

/** How far it is, in words. */
export function progressText(texts: FlashTexts, { stage, done, total }: Progress): string {
  if (stage !== "sending") {
    return texts.stages[stage];
  }
  return `${texts.stages[stage]}: ${Math.ceil(done / 1024)} / ${Math.ceil(total / 1024)} KB`;
}

/** What came of it, in one or more sentences. */
export function resultText(texts: FlashTexts, result: FlashResult): string {
  const { outcome, before, after, sent, there, keptMain, seen } = result;
  // Of a firmware that this page does not know there is nothing to tell.
  const text = texts.outcomes[before === "?" ? "installed" : outcome];
  const lines = [filled(text, { before, after, sent, there })];
  if (keptMain) {
    lines.push(filled(texts.keptMain, { name: keptMain }));
  }
  if (!seen) {
    lines.push(texts.notSeen);
  }
  return lines.join(" ");
}

const DOWNLOADS: Readonly<Record<string, string>> = {
  pico: "RPI_PICO",
  pico_w: "RPI_PICO_W",
  pico2: "RPI_PICO2",
  pico2_w: "RPI_PICO2_W",
};

/** Where MicroPython for a kit's Pico is. */
export function micropythonAddress(pico: string): string {
  return `https://micropython.org/download/${DOWNLOADS[pico] ?? ""}/`;
}
