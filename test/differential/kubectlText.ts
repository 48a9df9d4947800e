/** Output of a command without the parts in which two correct servers may differ. */
export function kubectlText(text: string): string {
  return (
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uid')
      .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'time')
      .replaceAll(/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d [+-]\d{4}/g, 'time')
      .replaceAll(/\b20\d\d-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} UTC/g, 'time')
      // A cell of a table, or a line of a description.
      .replaceAll(/(?<=\s)\d+(?:\.\d+)?(?:ms|[smh])(?:\d+s)?(?=\s|$)/g, 'age')
      .replaceAll(/(Resource Version:\s+)\d+/g, '$1revision')
      // Addresses and ports that each server allocates.
      .replaceAll(/\b10\.(?:9[6-9]|10\d|11[01])\.\d+\.\d+\b/g, 'address')
      .replaceAll(/\b3[0-2]\d{3}(?=\/TCP)/g, 'port')
      .replaceAll(/https?:\/\/127\.0\.0\.1:\d+(?:\/kubernetes\/cluster\/real)?/g, 'server')
      // The width of columns depends on their longest cell.
      .replaceAll(/ {2,}/g, '  ')
      .replaceAll(/ +$/gm, '')
  )
}
