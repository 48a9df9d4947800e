/** Characters that Go leaves in a path besides letters, digits and `-_.~`. */
const kept = /%(?:24|26|2B|2C|2F|3A|3B|3D|40)/g

/** Decoded path as Go writes it into a URL. Source: Go's net/url, URL.EscapedPath. */
export function goUrlPath(path: string): string {
  return encodeURIComponent(path)
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(kept, (escaped) => decodeURIComponent(escaped))
}
