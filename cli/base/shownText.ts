/** Control characters except tab and line break, and marks that change the text direction. */
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** Text without characters that control a terminal: names and messages of a server may come from anyone. */
export function shownText(text: string): string {
  return text.replaceAll(control, '\u{fffd}')
}

/** Text on one line, without characters that control a terminal. */
export function shownLine(text: string): string {
  return shownText(text.replaceAll(/[\t\n\r]+/g, ' '))
}

/** Reports whether a terminal would interpret a part of the text. */
export function controlsTerminal(text: string): boolean {
  return text.search(control) >= 0
}
