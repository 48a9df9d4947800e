import { objectMetaSchema } from '../../apiserver/meta/objectMetaSchema.ts'
import type { DefinedSchema } from '../definedSchema.ts'
import { discoverySchemas } from './discovery.ts'
import { metaName } from './names.ts'
import { deleteOptions, patch, preconditions } from './options.ts'
import { listMeta, status, statusCause, statusDetails } from './status.ts'
import { time } from './time.ts'
import { rawExtension, watchEvent } from './watchEvent.ts'

const { apiVersions, apiGroup, apiGroupList, apiResourceList, versionInfo } = discoverySchemas
const { apiResource, groupVersionEntry, serverAddress } = discoverySchemas

/** The metadata of every object: the schema that objects are validated by. */
export const objectMeta: DefinedSchema = {
  ...objectMetaSchema,
  definition: metaName('ObjectMeta'),
}

/** Shared definitions that are no kinds. */
export const sharedSchemas: readonly DefinedSchema[] = [
  apiResource,
  groupVersionEntry,
  listMeta,
  objectMeta,
  patch,
  preconditions,
  rawExtension,
  serverAddress,
  statusCause,
  statusDetails,
  time,
  versionInfo,
]

/** Kinds of `v1` alone. */
export const versionOneKinds: Readonly<Record<string, DefinedSchema>> = {
  APIGroup: apiGroup,
  APIGroupList: apiGroupList,
  APIResourceList: apiResourceList,
  APIVersions: apiVersions,
  Status: status,
}

/** Kinds of every group version: a body may name any of them. */
export const everywhereKinds: Readonly<Record<string, DefinedSchema>> = {
  DeleteOptions: deleteOptions,
  WatchEvent: watchEvent,
}
