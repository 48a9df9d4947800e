import type { Condition } from '../../../meta/condition.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { dataIn, type DataMap } from '../../kubernetes/core/configData.ts'
import { withAnnotation } from '../annotations.ts'
import { secretData } from './secretShape.ts'

/** Access to data and conditions of a kind of secret. No function modifies its arguments. */
export interface SecretForm {
  data(object: ApiObject): DataMap
  withData(object: ApiObject, data: DataMap): ApiObject
  /** The object with as little data as its kind allows. */
  emptied(object: ApiObject): ApiObject
  conditions(object: ApiObject): readonly Condition[]
  withConditions(object: ApiObject, conditions: readonly Condition[]): ApiObject
}

/** Shared secrets and project secrets. */
export const managementSecretForm: SecretForm = {
  data: secretData,
  withData: withSpecData,
  emptied: (object) => withSpecData(object, {}),
  conditions: (object) => {
    // Guaranteed by the schema; only the server writes the status.
    const status = object['status'] as { conditions?: Condition[] } | undefined
    return status?.conditions ?? []
  },
  withConditions: (object, conditions) => ({
    ...object,
    status: conditions.length === 0 ? {} : { conditions },
  }),
}

/** The form of core secrets, which have no status: their conditions are in an annotation, as JSON. */
export function coreSecretForm(names: NamesProfile): SecretForm {
  const annotation = conditionsAnnotation(names)
  return {
    data: (object) => dataIn(object, 'data'),
    withData: withTopData,
    emptied: (object) => withTopData(object, emptyData(object)),
    conditions: ({ metadata }) => {
      const text = metadata.annotations?.[annotation]
      // Only the server writes the annotation.
      return text === undefined ? [] : (JSON.parse(text) as Condition[])
    },
    withConditions: (object, conditions) =>
      withAnnotation(
        object,
        annotation,
        conditions.length === 0 ? undefined : JSON.stringify(conditions),
      ),
  }
}

export function conditionsAnnotation({ domain }: NamesProfile): string {
  return `${domain}/sharedsecret-conditions`
}

function withSpecData(object: ApiObject, data: DataMap): ApiObject {
  // Guaranteed by the schema.
  const { access, data: _, ...spec } = (object['spec'] ?? {}) as Record<string, unknown>
  return {
    ...object,
    spec: {
      ...spec,
      ...(isEmpty(data) ? {} : { data: sorted(data) }),
      ...(access === undefined ? {} : { access }),
    },
  }
}

function withTopData(object: ApiObject, data: DataMap): ApiObject {
  const { kind, apiVersion, metadata, data: _, ...rest } = object
  return {
    kind,
    apiVersion,
    metadata,
    ...(isEmpty(data) ? {} : { data: sorted(data) }),
    ...rest,
  }
}

/** Empties the data. A type may require keys, so keys stay with empty values. */
function emptyData(object: ApiObject): DataMap {
  if (object['type'] === 'Opaque') return {}
  return Object.fromEntries(Object.keys(dataIn(object, 'data')).map((key) => [key, '']))
}

function isEmpty(data: DataMap): boolean {
  return Object.keys(data).length === 0
}

/** Canonical objects have sorted maps. */
function sorted(data: DataMap): DataMap {
  return Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)))
}
