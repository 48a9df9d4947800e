/**
 * User names and email addresses in comparable form: names that people or other programs cannot distinguish are equal.
 */
export function loginName(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

/**
 * Form in which names must be distinct: also without invisible characters, such as zero-width
 * spaces. Logins do not ignore these characters, so no other string finds a user.
 */
export function distinctName(text: string): string {
  return loginName(text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''))
}
