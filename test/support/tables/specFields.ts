import { readFileSync } from 'node:fs'
import type { NamesProfile } from '../../../apiserver/meta/names/namesProfile.ts'

/**
 * Field of the specification: its path from the object, `[]` for the items of a list, and its type
 * in the specification's words.
 */
export interface SpecField {
  path: string
  type: string
}

/** Type, the fields of an object, those of the items of a list, or `@shape` for either. */
type Fields = { [name: string]: Member }
type Member = string | Fields | [string | Fields]

interface Fixture {
  /** Fields of every kind. */
  envelope: Fields
  shapes: Record<string, Fields>
  /** Fields in the specification. */
  kinds: Record<string, Fields>
  /** Fields that the specification leaves open, as resolved. */
  additions: Record<string, Fields>
}

// The file is part of the tests, and has this form.
const fixture = JSON.parse(
  readFileSync(new URL('../../fixtures/spec/fields.json', import.meta.url), 'utf8'),
) as Fixture

export const specKinds: readonly string[] = Object.keys(fixture.kinds)

/** Every field of a kind, spelt according to a names profile. */
export function specFields(
  kind: string,
  part: 'envelope' | 'kinds' | 'additions',
  names: NamesProfile,
): SpecField[] {
  const fields = part === 'envelope' ? fixture.envelope : (fixture[part][kind] ?? {})
  return fieldsBelow(fields, '', names)
}

function fieldsBelow(fields: Fields, prefix: string, names: NamesProfile): SpecField[] {
  return Object.entries(fields).flatMap(([name, member]) => {
    const path = `${prefix}${spelt(name, names)}`
    if (Array.isArray(member)) {
      const entries = fieldsBelow(shapeOf(member[0]), `${path}[].`, names)
      return [{ path, type: 'object[]' }, ...entries]
    }
    if (typeof member === 'string' && !member.startsWith('@')) return [{ path, type: member }]
    return [{ path, type: 'object' }, ...fieldsBelow(shapeOf(member), `${path}.`, names)]
  })
}

function shapeOf(member: string | Fields): Fields {
  if (typeof member !== 'string') return member
  const shape = fixture.shapes[member.slice(1)]
  if (shape === undefined) throw new Error(`the fixture has no shape ${member}`)
  return shape
}

const keys = [
  ...(['gitHostA', 'gitHostB', 'identityA', 'identityB', 'clusterManager'] as const),
  ...(['secretStore', 'costTool'] as const),
]

function spelt(name: string, names: NamesProfile): string {
  const key = keys.find((one) => one === name)
  if (key !== undefined) return names[key]
  const capital = names.platform.charAt(0).toUpperCase() + names.platform.slice(1)
  return name
    .replace('<platform>', names.platform)
    .replace('<Platform>', capital)
    .replace('<workspace_tool>', names.workspaceTool)
}
