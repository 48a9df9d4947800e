import type { Schema } from '../../meta/schema.ts'
import type { ApiObject } from '../../meta/types.ts'
import { applyJsonPatch } from '../../patch/jsonPatch.ts'
import { applyMergePatch } from '../../patch/mergePatch.ts'
import { applyStrategicMergePatch } from '../../patch/strategicMergePatch.ts'
import { jsonPatchType, mergePatchType, strategicMergePatchType } from '../../registry/resource.ts'

type Patcher = (old: ApiObject, patch: unknown, schema: Schema) => unknown

/** Functions that apply a patch to an object, by media type. Neither argument is changed. */
export const patchers: Readonly<Record<string, Patcher>> = {
  [jsonPatchType]: applyJsonPatch,
  [mergePatchType]: applyMergePatch,
  [strategicMergePatchType]: applyStrategicMergePatch,
}
