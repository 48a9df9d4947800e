/** Metadata of an object, limited to what lists need. */
export interface ListedMetadata {
  name: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  creationTimestamp?: string
  deletionTimestamp?: string
  labels?: Readonly<Record<string, string>>
  annotations?: Readonly<Record<string, string>>
  ownerReferences?: readonly OwnerReference[]
  finalizers?: readonly string[]
}

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
}

export interface ListedObject {
  apiVersion?: string
  kind?: string
  metadata: ListedMetadata
}

/** Column of a Table. Source: Kubernetes API, meta/v1 TableColumnDefinition. */
export interface Column {
  name: string
  type: string
  format: string
  description: string
  /** Priority; 0: shown in narrow views; larger: less important. */
  priority: number
}

/** Row of a Table; `object` has at least metadata. */
export interface Row {
  cells: readonly unknown[]
  object: ListedObject
}

/** Page of a list. */
export interface Page<Item> {
  items: readonly Item[]
  resourceVersion: string
  /** Token of the next page; empty: this is the last page. */
  continueToken: string
  /** Columns; only of tables. */
  columns: readonly Column[]
}

/** Form of the items of a list and of its watch events. */
export interface Shape<Item> {
  /** Value of the Accept header. */
  accept: string
  pageOf(body: unknown): Page<Item>
  /** Item in the object of a watch event. */
  itemOf(object: unknown): Item
  metadataOf(item: Item): ListedMetadata
}

interface ListBody {
  metadata?: { resourceVersion?: string; continue?: string }
  items?: ListedObject[] | null
  columnDefinitions?: Column[]
  rows?: Row[] | null
}

function pageMeta({ metadata = {} }: ListBody) {
  return { resourceVersion: metadata.resourceVersion ?? '', continueToken: metadata.continue ?? '' }
}

/** Whole objects. */
export function objectShape<T extends ListedObject>(): Shape<T> {
  return {
    accept: 'application/json',
    // The server sends the kind that the path names.
    pageOf: (body) => {
      const list = body as ListBody
      return { ...pageMeta(list), items: (list.items ?? []) as T[], columns: [] }
    },
    itemOf: (object) => object as T,
    metadataOf: (item) => item.metadata,
  }
}

const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io'

/** Rows with the server's columns, and the metadata of their objects. */
export const tableShape: Shape<Row> = {
  accept: tableType,
  pageOf: (body) => {
    const table = body as ListBody
    return { ...pageMeta(table), items: table.rows ?? [], columns: table.columnDefinitions ?? [] }
  },
  itemOf: (object) => {
    const [row] = (object as ListBody).rows ?? []
    // Bookmarks are tables, too; their row has no cells.
    if (row === undefined) throw new TypeError('an event of the watch has no row')
    return row
  },
  metadataOf: (row) => row.object.metadata,
}
