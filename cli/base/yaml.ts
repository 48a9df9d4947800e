/** YAML, loaded by commands that need it: `await import('../base/yaml.ts')`. */
export type { Document, YAMLMap, YAMLSeq } from 'yaml'
export { parse, parseDocument, stringify } from 'yaml'
