/**
 * Patch of the values at a path, with one of three actions. Source: specification, "Virtual-cluster sync option for
 * endpoint objects"; platform facts 6.1.
 */
export interface PatchRule {
  /** Path; empty: the whole object. */
  path: string
  /** Transforms the value from the virtual cluster to the host. */
  expression?: string
  /** Transforms the value from the host to the virtual cluster. */
  reverseExpression?: string
  /** The value is a reference to another object. */
  reference?: ReferenceRule
  /** The value is a label selector. */
  labels?: Record<string, never>
}

/**
 * Location of a reference in a value. Paths are relative to the value; their results take precedence over constants.
 * Without `namePath`, the value itself is the name.
 */
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
