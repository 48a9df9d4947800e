import {
  defaultPasswordRef,
  setStoredPassword,
  storedPassword,
} from '../apis/management/users/passwordSecret.ts'
import type { PlatformServices } from './platformServices.ts'

const sha256Hex = /^[0-9a-f]{64}$/

/**
 * Stores the configured password of the user `admin`, unless a password is already stored: a later change is kept.
 * @param wanted clear text, or its SHA-256 in lower-case hex.
 */
export async function ensureAdminPassword(
  wanted: string | undefined,
  { access, passwords, names }: Pick<PlatformServices, 'access' | 'passwords' | 'names'>,
): Promise<void> {
  if (wanted === undefined) return
  const ref = defaultPasswordRef('admin', names)
  if (storedPassword(ref, access) !== undefined) return
  const stored = sha256Hex.test(wanted) ? wanted : await passwords.hash(wanted)
  await setStoredPassword(stored, ref, access)
}
