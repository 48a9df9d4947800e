import type { Schema } from '../../../meta/schema.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { struct, string } from '../../schema.ts'
import { objectIfAny } from '../../storeReads.ts'
import { managementResource } from '../managementKind.ts'
import type { Platform } from '../platform.ts'

/** A user or a team in responses. Source: platform facts 1.1. */
export interface EntityInfo {
  name?: string
  displayName?: string
  icon?: string
  username?: string
  email?: string
  subject?: string
}

export const entityInfoFields: Readonly<Record<string, Schema>> = {
  name: string('Name of the object.'),
  displayName: string('Name shown in the UI.'),
  icon: string('URL of an icon.'),
  username: string('Name used to log in.'),
  email: string('Email address.'),
  subject: string('Subject as presented by a token.'),
}

export function entityInfoSchema(description: string): Schema {
  return struct(entityInfoFields, description, { omitEmpty: true })
}

function entityInfo({ metadata, spec }: ApiObject): EntityInfo {
  // Guaranteed by the schemas of users and teams.
  const { displayName, icon, username, email, subject } = (spec ?? {}) as EntityInfo
  const { name } = metadata
  const all = { name, displayName, icon, username, email, subject }
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined && value !== ''),
  )
}

/** User or team with a name; only the name if it does not exist. */
export function entityNamed(
  { names, access }: Platform,
  resource: 'users' | 'teams',
  name: string,
): EntityInfo {
  const store = access.store(managementResource(names, resource))
  const found = objectIfAny(store, { namespace: '', name })
  return found === undefined ? { name } : entityInfo(found)
}
