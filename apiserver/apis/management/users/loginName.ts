/** User names and email addresses as they are compared: what looks the same to people and to other programs is the same. */
export function loginName(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}
