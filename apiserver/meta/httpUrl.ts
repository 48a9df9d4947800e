/**
 * Reports whether a string is an unambiguous absolute HTTP URL: with a host, without user and password, and without
 * characters that URL parsers drop or correct.
 */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d+)?([/?#]|$)/i.test(text)) return false
  return !/[^!-~]|[\\<>"`{}|^]/.test(text) && URL.canParse(text)
}

/** Reports whether a string is an HTTP URL or a path on the page's own server. */
export function isAssetUrl(text: string): boolean {
  return isHttpUrl(text) || isOwnPath(text)
}

/** Reports whether a page may link to a string: an asset URL or an e-mail address. */
export function isLinkUrl(text: string): boolean {
  return isAssetUrl(text) || /^mailto:[^\s@<>"'`&]+@[^\s@<>"'`&]+$/i.test(text)
}

/** Reports whether a string is a path: browsers read two slashes as the start of a host, and a backslash as a slash. */
function isOwnPath(text: string): boolean {
  return /^\/(?!\/)[!-~]*$/.test(text) && !/[\\<>"'`{}|^]/.test(text)
}
