import type { Passwords } from '../../../authentication/passwords.ts'
import type { PasswordMatch } from '../../../authentication/passwordHash.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { ignoreAlreadyExists } from '../../../registry/ignoring.ts'
import { systemContext } from '../../../registry/systemContext.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { objectIfAny } from '../../storeReads.ts'

/** `User.spec.passwordRef`. */
export interface PasswordRef {
  secretName?: string
  secretNamespace?: string
  /** Default `password`. */
  key?: string
}

/** Storage and hashing of passwords. */
export interface PasswordStore {
  access: PlaneAccess
  passwords: Passwords
}

/** The default location of a user's password. Source: platform facts 1.3. */
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

/** Stored form of a password; undefined: none. */
export function storedPassword(
  ref: PasswordRef | undefined,
  access: PlaneAccess,
): string | undefined {
  if (ref === undefined || (ref.secretName ?? '') === '') return undefined
  const secret = objectIfAny(access.store({ group: '', resource: 'secrets' }), targetOf(ref))
  // Guaranteed by the schema of secrets.
  const data = (secret?.['data'] ?? {}) as Record<string, string>
  const stored = data[ref.key ?? 'password']
  if (stored === undefined) return undefined
  return Buffer.from(stored, 'base64').toString('utf8').trim()
}

/** Reports whether a password matches the stored one; undefined: no password is stored. */
export async function isPassword(
  password: string,
  ref: PasswordRef,
  { access, passwords, holder }: PasswordStore & { holder: string },
): Promise<boolean | undefined> {
  const stored = storedPassword(ref, access)
  if (stored === undefined) return undefined
  const match: PasswordMatch = await passwords.match(password, stored, holder)
  return match !== 'wrong'
}

/** Stores the hash of a password. */
export async function setPassword(
  password: string,
  ref: PasswordRef,
  { access, passwords }: PasswordStore,
): Promise<void> {
  await setStoredPassword(await passwords.hash(password), ref, access)
}

/**
 * Stores a password in stored form.
 * @param instead stored form to replace; any other stored form stays. Undefined: replace any.
 */
export async function setStoredPassword(
  stored: string,
  ref: PasswordRef,
  access: PlaneAccess,
  instead?: string,
): Promise<void> {
  const target = targetOf(ref)
  const key = ref.key ?? 'password'
  const value = Buffer.from(stored).toString('base64')
  await ensureNamespace(target.namespace, access)
  const secrets = access.store({ group: '', resource: 'secrets' })
  const transform = (old: ApiObject): ApiObject => {
    // Guaranteed by the schema of secrets.
    const data = (old['data'] ?? {}) as Record<string, string>
    const known = Buffer.from(data[key] ?? '', 'base64')
      .toString('utf8')
      .trim()
    if (instead !== undefined && known !== instead) return old
    return { ...old, data: { ...data, [key]: value } }
  }
  const createMissing = (): ApiObject => ({
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: target,
    data: { [key]: value },
    type: 'Opaque',
  })
  await secrets.update(target, { transform, createMissing }, systemContext())
}

function targetOf({ secretName: name = '', secretNamespace: namespace = '' }: PasswordRef) {
  return { namespace, name }
}

async function ensureNamespace(name: string, access: PlaneAccess): Promise<void> {
  const namespaces = access.store({ group: '', resource: 'namespaces' })
  if (objectIfAny(namespaces, { namespace: '', name }) !== undefined) return
  await namespaces
    .create({ kind: 'Namespace', apiVersion: 'v1', metadata: { name } }, systemContext())
    .catch(ignoreAlreadyExists)
}
