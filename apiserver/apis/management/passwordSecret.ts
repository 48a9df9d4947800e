import { createHash, timingSafeEqual } from 'node:crypto'
import type { NamesProfile } from '../../meta/namesProfile.ts'
import type { ApiObject } from '../../meta/types.ts'
import { systemContext } from '../../registry/systemContext.ts'
import type { PlaneAccess } from '../planeAccess.ts'
import { objectIfAny } from '../storeReads.ts'
import { StatusError } from '../../meta/status.ts'

/** `User.spec.passwordRef`. */
export interface PasswordRef {
  secretName?: string
  secretNamespace?: string
  /** Default `password`. */
  key?: string
}

/** Where the password of a user without a reference is put. Source: platform facts 1.3. */
export function defaultPasswordRef(
  user: string,
  { platform }: NamesProfile,
): Required<PasswordRef> {
  return {
    secretName: `${platform}-user-secret-${user}`,
    secretNamespace: platform,
    key: 'password',
  }
}

/** Whether a password is the stored one; undefined: none is stored. */
export function isPassword(
  password: string,
  ref: PasswordRef,
  access: PlaneAccess,
): boolean | undefined {
  const secret = objectIfAny(access.store({ group: '', resource: 'secrets' }), targetOf(ref))
  // The schema of secrets says that data are texts in base64.
  const data = (secret?.['data'] ?? {}) as Record<string, string>
  const stored = data[ref.key ?? 'password']
  if (stored === undefined) return undefined
  const hash = Buffer.from(Buffer.from(stored, 'base64').toString('utf8').trim())
  const given = Buffer.from(passwordHash(password))
  return hash.length === given.length && timingSafeEqual(hash, given)
}

/** Stores a password: its SHA-256 in lower-case hex. Source: platform facts 1.3, 4 rule 2. */
export async function setPassword(
  password: string,
  ref: PasswordRef,
  access: PlaneAccess,
): Promise<void> {
  const target = targetOf(ref)
  const key = ref.key ?? 'password'
  const value = Buffer.from(passwordHash(password)).toString('base64')
  await ensureNamespace(target.namespace, access)
  const secrets = access.store({ group: '', resource: 'secrets' })
  const transform = (old: ApiObject): ApiObject => ({
    ...old,
    // The schema of secrets says that data is a map.
    data: { ...(old['data'] as object | undefined), [key]: value },
  })
  const createMissing = (): ApiObject => ({
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: target,
    data: { [key]: value },
    type: 'Opaque',
  })
  await secrets.update(target, { transform, createMissing }, systemContext())
}

function passwordHash(password: string): string {
  return createHash('sha256').update(password).digest('hex')
}

function targetOf({ secretName: name = '', secretNamespace: namespace = '' }: PasswordRef) {
  return { namespace, name }
}

async function ensureNamespace(name: string, access: PlaneAccess): Promise<void> {
  const namespaces = access.store({ group: '', resource: 'namespaces' })
  if (objectIfAny(namespaces, { namespace: '', name }) !== undefined) return
  try {
    const metadata = { name }
    await namespaces.create({ kind: 'Namespace', apiVersion: 'v1', metadata }, systemContext())
  } catch (error) {
    if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error
  }
}
