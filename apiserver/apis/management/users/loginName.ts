/**
 * User names and email addresses in comparable form: names that people or other programs cannot distinguish are equal.
 */
export function loginName(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

/**
 * The form in which names must be distinct: also without characters that are not shown, such as a zero-width space. Logins
 * do not ignore these, so that nobody is found by another text.
 */
export function distinctName(text: string): string {
  return loginName(text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''))
}
