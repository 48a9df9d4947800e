/** Whether a text is an absolute HTTP address as everybody reads it: with a host, without a user and a password, and
 *  without characters that a parser of URLs drops or mends. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d+)?([/?#]|$)/i.test(text)) return false
  return !/[^!-~]|[\\<>"`{}|^]/.test(text) && URL.canParse(text)
}

/** Whether it is an HTTP address or a path on the server that a page came from. */
export function isAssetUrl(text: string): boolean {
  return isHttpUrl(text) || isOwnPath(text)
}

/** The same, or an e-mail address: what a page may link to. */
export function isLinkUrl(text: string): boolean {
  return isAssetUrl(text) || /^mailto:[^\s@<>"'`&]+@[^\s@<>"'`&]+$/i.test(text)
}

/** A browser takes two slashes for the beginning of a host, and a backslash for a slash. */
function isOwnPath(text: string): boolean {
  return /^\/(?!\/)[!-~]*$/.test(text) && !/[\\<>"'`{}|^]/.test(text)
}
