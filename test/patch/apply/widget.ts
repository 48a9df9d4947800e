import { objectMetaSchema } from '../../../apiserver/meta/objectMetaSchema.ts'
import type { Schema } from '../../../apiserver/meta/schema.ts'
import type { ApiObject, ManagedFieldsEntry } from '../../../apiserver/meta/types.ts'
import type { ApplyContext } from '../../../apiserver/patch/apply/applyContext.ts'
import { applyObject } from '../../../apiserver/patch/apply/applyObject.ts'
import { updateManagedFields } from '../../../apiserver/patch/apply/managers/updateManagedFields.ts'

const text: Schema = { type: 'string' }
const number: Schema = { type: 'integer' }
const texts: Schema = { type: 'object', additionalProperties: text }
const textSet: Schema = { type: 'array', items: text, 'x-kubernetes-list-type': 'set' }
const openMap = { 'x-kubernetes-preserve-unknown-fields': true } as const

function mapList(keys: string[], items: Schema): Schema {
  return {
    type: 'array',
    items,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
  }
}

const port: Schema = {
  type: 'object',
  properties: { port: number, protocol: { ...text, default: 'TCP' }, name: text, host: text },
}

const container: Schema = {
  type: 'object',
  properties: {
    name: text,
    image: text,
    args: textSet,
    ports: mapList(['port', 'protocol'], port),
    resources: {
      type: 'object',
      properties: {
        limits: { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true } },
      },
    },
  },
}

const spec: Schema = {
  type: 'object',
  properties: {
    replicas: number,
    name: text,
    on: { type: 'boolean' },
    labels: texts,
    maps: { type: 'object', additionalProperties: texts },
    atomicMap: { ...texts, 'x-kubernetes-map-type': 'atomic' },
    nested: {
      type: 'object',
      properties: {
        a: text,
        b: number,
        deep: { type: 'object', properties: { x: text, y: text } },
      },
    },
    atomicStruct: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { a: text, b: number },
    },
    plainList: { type: 'array', items: text },
    set: textSet,
    numSet: { type: 'array', items: { type: 'number' }, 'x-kubernetes-list-type': 'set' },
    containers: mapList(['name'], container),
    legacy: {
      type: 'array',
      items: { type: 'object', properties: { ip: text, v: text } },
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'ip',
    },
    atomicItems: mapList(['k'], {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { k: text, v: text },
    }),
    open: { type: 'object', ...openMap, properties: { known: text, list: textSet } },
    free: { type: 'object', ...openMap },
    any: {},
  },
}

const status: Schema = {
  type: 'object',
  properties: {
    phase: text,
    conditions: mapList(['type'], { type: 'object', properties: { type: text, status: text } }),
  },
}

/** Schema of an object with fields of every type. */
export const widgetSchema: Schema = {
  type: 'object',
  properties: { kind: text, apiVersion: text, metadata: objectMetaSchema, spec, status },
}

/** Times for tests: the n-th second of a day. */
export function second(n: number): string {
  return new Date(Date.UTC(2020, 0, 1, 0, 0, n)).toISOString().replace('.000', '')
}

export function widgetContext(options: Partial<ApplyContext> = {}): ApplyContext {
  return {
    group: 'example.dev',
    version: 'v1',
    kind: 'Widget',
    schema: widgetSchema,
    now: second(0),
    resetFields: options.subresource === undefined ? { 'f:status': {} } : { 'f:spec': {} },
    ...options,
  }
}

export function widget(specFields?: object, more: object = {}): ApiObject {
  return {
    apiVersion: 'example.dev/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'ns' },
    ...(specFields === undefined ? {} : { spec: specFields }),
    ...more,
  }
}

/** Object that managers write one after another, a second apart. */
export class LiveWidget {
  live: ApiObject | undefined
  #seconds = 0

  apply(manager: string, config: ApiObject, options: { force?: boolean } & Tweaks = {}): this {
    const { force = false, ...tweaks } = options
    return this.#keep(applyObject(this.live, config, { manager, force }, this.#context(tweaks)))
  }

  update(manager: string, next: ApiObject, tweaks: Tweaks = {}): this {
    return this.#keep(updateManagedFields(this.live, next, manager, this.#context(tweaks)))
  }

  get spec(): unknown {
    return this.live?.['spec']
  }

  /** Field owners: `<manager> <operation>[ <subresource>]` → paths of fieldsV1. */
  get owners(): Record<string, unknown> {
    return Object.fromEntries(this.entries.map((entry) => [ownerName(entry), entry.fieldsV1]))
  }

  get times(): Record<string, unknown> {
    return Object.fromEntries(this.entries.map((entry) => [ownerName(entry), entry.time]))
  }

  get entries(): ManagedFieldsEntry[] {
    return this.live?.metadata.managedFields ?? []
  }

  #context(tweaks: Tweaks): ApplyContext {
    return widgetContext({ now: second(this.#seconds++), ...tweaks })
  }

  #keep(object: ApiObject): this {
    this.live = structuredClone({ ...object, metadata: { ...object.metadata, uid: 'u' } })
    return this
  }
}

type Tweaks = Partial<ApplyContext>

function ownerName({ manager, operation, subresource }: ManagedFieldsEntry): string {
  return [manager, operation, subresource].filter((part) => part !== undefined).join(' ')
}
