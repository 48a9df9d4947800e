/** Whether a text is an absolute HTTP address as everybody reads it: with a host, without a user and a password, and
 *  without characters that a parser of URLs drops or mends. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^/?#\\@]+([/?#]|$)/i.test(text)) return false
  return !/[^!-~]|[\\<>"`{}|^]/.test(text) && URL.canParse(text)
}
