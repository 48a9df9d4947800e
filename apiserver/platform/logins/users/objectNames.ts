import { hash } from 'node:crypto'

const maxLength = 50

/** A name for an object, like `text`; where it says too little, the hash of `unique` makes up for it. */
export function nameLike(text: string, unique: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '')
  return plain === '' ? `sso-${shortHash(unique)}` : plain
}

/** The same with the hash at its end: a second choice. */
export function otherNameLike(text: string, unique: string): string {
  return `${nameLike(text, unique)}-${shortHash(unique)}`
}

export function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 8)
}
