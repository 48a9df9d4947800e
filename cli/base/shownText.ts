/** Control characters but for tab and line break, and marks that change the order in which text is shown. */
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** Text that cannot control a terminal: names and messages of a server may come from anybody. */
export function shownText(text: string): string {
  return text.replaceAll(control, '\u{fffd}')
}

/** The same on one line. */
export function shownLine(text: string): string {
  return shownText(text.replaceAll(/[\t\n\r]+/g, ' '))
}

/** Reports whether a terminal would take a part of the text for a command. */
export function controlsTerminal(text: string): boolean {
  return text.search(control) >= 0
}
