import { hash } from 'node:crypto'

const maxLength = 50

/** Object name derived from `text`; if too little of it remains, the hash of `unique` is added. */
export function nameLike(text: string, unique: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '')
  return plain === '' ? `sso-${shortHash(unique)}` : plain
}

/** An alternative name that ends with the hash. */
export function otherNameLike(text: string, unique: string): string {
  return `${nameLike(text, unique)}-${shortHash(unique)}`
}

export function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 8)
}
