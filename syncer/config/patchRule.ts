/** What a patch does to the values its path leads to: one of the three. Source: specification, "Virtual-cluster sync
 *  option for endpoint objects"; platform facts 6.1. */
export interface PatchRule {
  /** Empty: the whole object. */
  path: string
  /** Transforms the value on its way to the host. */
  expression?: string
  /** Transforms the value on its way back. */
  reverseExpression?: string
  /** The value names another object. */
  reference?: ReferenceRule
  /** The value is a label selector. */
  labels?: Record<string, never>
}

/** How a value names another object. Paths are relative to the value; where they find something, that wins over the
 *  constant. Without `namePath` the value itself is the name. */
export interface ReferenceRule {
  apiVersion: string
  apiVersionPath?: string
  kind: string
  kindPath?: string
  namePath?: string
  namespacePath?: string
}

export const patchFields = ['path', 'expression', 'reverseExpression', 'reference', 'labels']
export const referenceTexts = [
  'apiVersion',
  'apiVersionPath',
  'kind',
  'kindPath',
  'namePath',
  'namespacePath',
] as const
