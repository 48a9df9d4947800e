/** YAML library, loaded on demand: `await import('../base/yaml.ts')`. */
export type { Document, YAMLMap, YAMLSeq } from 'yaml'
export { parse, parseDocument, stringify } from 'yaml'
