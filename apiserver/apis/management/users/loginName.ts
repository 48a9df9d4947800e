/**
 * User names and email addresses in comparable form: names that people or other programs cannot distinguish are equal.
 */
export function loginName(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}
