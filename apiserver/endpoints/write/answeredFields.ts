import { formatTime } from '../../meta/clock.ts'
import type { ApiObject } from '../../meta/types.ts'
import { updateManagedFields } from '../../patch/apply/managers/updateManagedFields.ts'
import { objectSchema } from '../../registry/schema/canonicalForm.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { emptyObjectOf } from './emptyObject.ts'
import type { WriteOptions } from './writeOptions.ts'

interface Answered {
  /** The kind of the bodies. */
  resource: ResourceDefinition
  /** Present for a subresource. */
  parent?: { subresource: { name: string } }
}

/**
 * Created object with its managed fields. As in the real server, every object gets them, even if it
 * is not stored: the response to a review contains them. `object` is not changed.
 * Source: apiserver, handlers, "create"; reference 3.1, 3.11.
 */
export function withCreator(
  object: ApiObject,
  target: Answered,
  options: Pick<WriteOptions, 'fieldManager'>,
  nowMs: number,
): ApiObject {
  return withManager(object, undefined, { target, options, nowMs })
}

/**
 * Object after a write, with the managed fields of `old` updated; `old` undefined: the object is
 * new.
 */
export function withManager(
  object: ApiObject,
  old: ApiObject | undefined,
  {
    target,
    options,
    nowMs,
  }: { target: Answered; options: Pick<WriteOptions, 'fieldManager'>; nowMs: number },
): ApiObject {
  const { resource, parent } = target
  const { group, version, kind, schema } = resource
  return updateManagedFields(old, object, options.fieldManager, {
    group,
    version,
    kind,
    schema: objectSchema(schema),
    now: formatTime(nowMs),
    emptyObject: emptyObjectOf(resource),
    ...(parent === undefined ? {} : { subresource: parent.subresource.name }),
  })
}
