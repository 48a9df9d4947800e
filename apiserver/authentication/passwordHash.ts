import { createHash, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

/**
 * The stored form of a password: `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`, salt and hash in base64
 * without padding. A string in any other form matches no password, except for the older form that
 * the platform's own tools write: the SHA-256 of the password in lower-case hex.
 * Source: PHC string format; RFC 7914; platform facts 1.3.
 */

/**
 * Cost: 16 MiB and five passes are as strong as the recommended 128 MiB and one pass, with less
 * memory per concurrent login.
 * Source: OWASP, Password Storage Cheat Sheet.
 */
const cost = { ln: 14, r: 8, p: 5 }
const hashBytes = 32
export const saltBytes = 16
const olderForm = /^[0-9a-f]{64}$/
const form =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/
/** Maximum costs, so that a stored form cannot keep the server busy for minutes. */
const most = { ln: 17, r: 16, p: 16 }

/**
 * Result of a comparison. `outdated`: the password is right, but should be stored again in the
 * current form.
 */
export type PasswordMatch = 'right' | 'outdated' | 'wrong'

interface StoredPassword {
  ln: number
  r: number
  p: number
  salt: Buffer
  hash: Buffer
}

/** The form to store for a password. */
export async function passwordHash(password: string, salt: Buffer): Promise<string> {
  const { ln, r, p } = cost
  const hash = await derived(password, { ...cost, salt, hash: Buffer.alloc(hashBytes) })
  return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(hash)}`
}

/** Reports whether a password matches the stored one. It always takes the time of one hash. */
export async function matchPassword(password: string, stored: string): Promise<PasswordMatch> {
  const parsed = parse(stored)
  if (parsed === undefined) {
    const isRight = isOlderForm(password, stored)
    await derived(password, dummy)
    return isRight ? 'outdated' : 'wrong'
  }
  const hash = await derived(password, parsed)
  if (!timingSafeEqual(hash, parsed.hash)) return 'wrong'
  const { ln, r, p } = parsed
  return ln === cost.ln && r === cost.r && p === cost.p ? 'right' : 'outdated'
}

const dummy: StoredPassword = {
  ...cost,
  salt: Buffer.alloc(saltBytes),
  hash: Buffer.alloc(hashBytes),
}

function isOlderForm(password: string, stored: string): boolean {
  if (!olderForm.test(stored)) return false
  const given = createHash('sha256').update(password).digest()
  return timingSafeEqual(given, Buffer.from(stored, 'hex'))
}

/** Computes a hash on the thread pool, without blocking the event loop. */
function derived(password: string, { ln, r, p, salt, hash }: StoredPassword): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r + 256 * r * p }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, hash.length, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}

function parse(stored: string): StoredPassword | undefined {
  const match = form.exec(stored)
  if (match === null) return undefined
  const [, ln = '', r = '', p = '', salt = '', hash = ''] = match
  const numbers = { ln: Number(ln), r: Number(r), p: Number(p) }
  if (!isBounded(numbers)) return undefined
  return { ...numbers, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

function isBounded(numbers: typeof most): boolean {
  const names = ['ln', 'r', 'p'] as const
  return names.every((name) => numbers[name] >= 1 && numbers[name] <= most[name])
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
