import { superuserGroups } from '../../../authorization/superusers.ts'
import { invalidField, requiredField } from '../../../meta/fieldErrors.ts'
import { invalid } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { AnswerRequest } from '../../../registry/answers.ts'
import { ignoreNotFound } from '../../../registry/ignoring.ts'
import { decodeObject } from '../../../registry/objectBytes.ts'
import type { AnsweredSubresource } from '../../../registry/resource.ts'
import { systemContext } from '../../../registry/systemContext.ts'
import type { AccountGuard } from '../../access/accountGuard.ts'
import { secretString, string } from '../../schema.ts'
import { allObjects } from '../../storeReads.ts'
import { specOf as keySpecOf } from '../accessKeys/accessKeySpec.ts'
import { answeredKind, answerObject, managementResource } from '../managementKind.ts'
import { defaultPasswordRef, isPassword, setPassword, type PasswordRef } from './passwordSecret.ts'
import type { Platform } from '../platform.ts'

const kind = 'UserProfile'

interface UserSpec {
  displayName?: string
  username?: string
  email?: string
  icon?: string
  passwordRef?: PasswordRef
}

/** The profile of a user; `custom` is kept in an annotation. */
interface Profile {
  displayName?: string
  username?: string
  email?: string
  icon?: string
  custom?: string
  password?: string
  currentPassword?: string
}

/**
 * Maximum length of a field in characters, since every user may set their own fields; an icon may
 * be a data URL.
 */
const maxTextLength = 64 * 1024

const shownFields = ['displayName', 'username', 'email', 'icon'] as const

/**
 * Fields that users may change themselves. Omitted fields stay unchanged. A new password deletes all of the user's
 * access keys. Source: platform facts 1.3, 4 rule 5.
 */
export function userProfileSubresource(
  platform: Platform,
  accounts: AccountGuard,
): AnsweredSubresource {
  const fields = {
    displayName: { ...string('Name shown in the UI.'), maxLength: 1_024 },
    username: { ...string('Name used to log in.'), maxLength: 1_024 },
    email: { ...string("The user's email address."), maxLength: 1_024 },
    icon: { ...string('URL of an icon shown for the user.'), maxLength: maxTextLength },
    custom: { ...string('Free text for the UI.'), maxLength: maxTextLength },
    password: secretString('New password. Never returned.'),
    currentPassword: secretString('Current password; required to set a new one. Never returned.'),
  }
  const description = `${kind} contains the fields that users may change themselves.`
  const { names } = platform
  const shape = { names, kind, plural: 'users', description, fields }
  const resource = answeredKind(shape, ['create', 'get'], {
    get: async ({ name }) => profileOf(await userNamed(platform, name), platform),
    create: (object, request) => save(object, request, { platform, accounts }),
  })
  return { name: 'profile', verbs: ['create', 'get'], resource }
}

function userNamed({ access, names }: Platform, name: string): Promise<ApiObject> {
  return access.store(managementResource(names, 'users')).durable({ namespace: '', name })
}

function specOf(user: ApiObject): UserSpec {
  // Guaranteed by the schema of users.
  return user['spec'] ?? {}
}

function profileOf(user: ApiObject, { names }: Platform): ApiObject {
  const spec = specOf(user)
  const custom = user.metadata.annotations?.[customAnnotation(names.domain)]
  const { name = '' } = user.metadata
  return answerObject(names, kind, {
    metadata: { name },
    ...Object.fromEntries(
      shownFields.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]]])),
    ),
    ...(custom === undefined ? {} : { custom }),
  })
}

function customAnnotation(domain: string): string {
  return `${domain}/profile-custom`
}

async function save(
  profile: Profile & ApiObject,
  request: AnswerRequest,
  { platform, accounts }: { platform: Platform; accounts: AccountGuard },
): Promise<ApiObject> {
  const user = await userNamed(platform, request.name)
  const ref = specOf(user).passwordRef ?? defaultPasswordRef(request.name, platform.names)
  const { password = '' } = profile
  if (password !== '') {
    // A user who sets a password can log in with it.
    const through = { ...managementResource(platform.names, 'users'), namespace: '' }
    accounts.checkEntry(request.user, user, { ...through, name: request.name })
    await checkPassword(profile, ref, request, platform)
  }
  const transform = (old: ApiObject): ApiObject =>
    withProfile(old, profile, password === '' ? undefined : ref, platform)
  const users = platform.access.store(managementResource(platform.names, 'users'))
  // Acts on behalf of the caller, with the same restrictions as for writing the User.
  const context = { ...systemContext(), ...request, isTrusted: false }
  const target = { namespace: '', name: request.name }
  const { bytes } = await users.update(target, { transform }, context)
  if (password !== '' && !request.dryRun) {
    await setPassword(password, ref, platform)
    await deleteKeys(request.name, platform)
  }
  return profileOf(decodeObject(bytes), platform)
}

function withProfile(
  user: ApiObject,
  profile: Profile,
  passwordRef: PasswordRef | undefined,
  { names }: Platform,
): ApiObject {
  const changes = Object.fromEntries(
    shownFields.flatMap((field) => (profile[field] === undefined ? [] : [[field, profile[field]]])),
  )
  const spec = {
    ...specOf(user),
    ...changes,
    ...(passwordRef === undefined ? {} : { passwordRef }),
  }
  const { custom } = profile
  if (custom === undefined) return { ...user, spec }
  const annotations = { ...user.metadata.annotations, [customAnnotation(names.domain)]: custom }
  return { ...user, metadata: { ...user.metadata, annotations }, spec }
}

/** Checks the current password, if there is one, unless the caller is an administrator. */
async function checkPassword(
  { currentPassword = '' }: Profile,
  ref: PasswordRef,
  { user, name }: AnswerRequest,
  platform: Platform,
): Promise<void> {
  const { names } = platform
  if (superuserGroups(names).some((group) => user.groups.includes(group))) return
  const attempt = await platform.takeGuess(name)
  const { access, passwords } = platform
  const holder = `user ${user.name}`
  const isRight = await isPassword(currentPassword, ref, { access, passwords, holder })
  if (isRight !== false) return attempt.putBack()
  const subject = { group: managementResource(names, 'users').group, kind }
  throw invalid(subject, name, [
    currentPassword === ''
      ? requiredField('currentPassword')
      : invalidField('currentPassword', '***', 'is not the current password'),
  ])
}

async function deleteKeys(user: string, { access, names }: Platform): Promise<void> {
  const keys = access.store(managementResource(names, 'ownedaccesskeys'))
  const own = (await allObjects(keys)).filter((key) => keySpecOf(key).user === user)
  await Promise.all(
    own.map(({ metadata: { name = '' } }) =>
      keys.delete({ namespace: '', name }, {}, systemContext()).catch(ignoreNotFound),
    ),
  )
}
