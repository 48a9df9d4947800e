import {
  defaultPasswordRef,
  setStoredPassword,
  storedPassword,
} from '../../apis/management/users/passwordSecret.ts'
import { badRequest, unauthorized } from '../../meta/statusErrors.ts'
import type { LoginServices } from './loginServices.ts'
import type { LoginThrottle } from './limits/loginThrottle.ts'
import type { KnownUser, UserDirectory } from './users/userDirectory.ts'

export interface PasswordLoginOptions {
  services: LoginServices
  users: UserDirectory
  throttle: LoginThrottle
}

export interface PasswordAttempt {
  username: string
  password: string
  /** Address of the client. */
  address: string
}

const maxPasswordChars = 1024
/** The same message for every reason, so that it does not reveal valid names. */
const refusal = 'the user name or the password is wrong'

/**
 * Checks user name and password; returns the user. A password in the older form is stored again.
 * @throws StatusError Unauthorized; TooManyRequests; BadRequest.
 */
export async function logInByPassword(
  attempt: PasswordAttempt,
  { services, users, throttle }: PasswordLoginOptions,
): Promise<KnownUser> {
  checkAttempt(attempt, services)
  const { username, password, address } = attempt
  const user = users.forLogin(username)
  const attempted = await throttle.take(address, user?.name ?? username)
  const { access, passwords, names } = services
  const ref = user && (user.spec.passwordRef ?? defaultPasswordRef(user.name, names))
  const stored = storedPassword(ref, access)
  const match = await passwords.match(password, stored, address)
  if (match === 'wrong' || user === undefined || user.spec.disabled === true) {
    throw unauthorized(refusal)
  }
  await attempted.putBack()
  if (match === 'outdated' && ref !== undefined && stored !== undefined) {
    await setStoredPassword(await passwords.hash(password), ref, access, stored)
  }
  return user
}

function checkAttempt({ username, password }: PasswordAttempt, services: LoginServices): void {
  if (isDisabled(services)) throw unauthorized('login with a password is disabled')
  if (username === '' || password === '') throw badRequest('username and password are required')
  if (username.length > maxPasswordChars || password.length > maxPasswordChars) {
    throw badRequest(`username and password have at most ${maxPasswordChars} characters`)
  }
}

/** Reports whether password logins are disabled. Source: specification, "status.auth", password. */
export function isDisabled({ settings }: LoginServices): boolean {
  // Sound by the schema of the configuration.
  const { disabled } = (settings().auth['password'] ?? {}) as { disabled?: boolean }
  return disabled === true
}
