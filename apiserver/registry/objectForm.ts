import { builtInDialect, customDialect, type SchemaDialect } from './schema/schemaDialect.ts'

/** Form of the objects of a kind in requests, responses, documents and storage. */
export interface ObjectForm {
  /** Rules of the kind's schema. */
  dialect: SchemaDialect
  /**
   * True if bodies are decoded into types, which refuse values of other types and complete the object. Otherwise a body
   * is a document that its schema validates.
   */
  isDecoded: boolean
  /** True if spec, status and mandatory fields always exist, at every depth. */
  isComplete: boolean
  /** True if an update does not validate unchanged parts of the object. */
  keepsUnchanged: boolean
  /** True if items of a list state their kind, and the last page has an empty token. */
  hasTypedItems: boolean
  /** True if each verb has its own route, even in the deprecated form of watches. Otherwise one handler serves all. */
  hasRoutes: boolean
  /** True if discovery lists verbs and subresources by name. Default order: that of the definition. */
  isSortedInDiscovery: boolean
  /** True if storage keys have the group before the plural. */
  isStoredByGroup: boolean
  /** True if clients define the kind, which may be removed while the server runs. */
  isClientDefined: boolean
}

/** Form of kinds that are types of the server. */
const structForm: ObjectForm = {
  dialect: builtInDialect,
  isDecoded: true,
  isComplete: true,
  keepsUnchanged: false,
  hasTypedItems: false,
  hasRoutes: true,
  isSortedInDiscovery: true,
  isStoredByGroup: false,
  isClientDefined: false,
}

/** Form of kinds that a CustomResourceDefinition describes. */
export const documentForm: ObjectForm = {
  dialect: customDialect,
  isDecoded: false,
  isComplete: false,
  keepsUnchanged: true,
  hasTypedItems: true,
  hasRoutes: false,
  isSortedInDiscovery: false,
  isStoredByGroup: true,
  isClientDefined: true,
}

export function formOf({ form = structForm }: { form?: ObjectForm }): ObjectForm {
  return form
}
