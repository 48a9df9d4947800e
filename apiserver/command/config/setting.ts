import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { ServerOptions } from '../../runtime/serverOptions.ts'
import { codeValues, type CodeValues, type ValueKind } from './valueKinds.ts'

/** Everything that can be set, before it is checked as a whole. */
export interface Draft extends Partial<
  Omit<ServerOptions, 'names' | 'history' | 'delegation' | 'etcd'>
> {
  names: Partial<NamesProfile>
  history: Partial<ServerOptions['history']>
  delegation: Partial<ServerOptions['delegation']>
  etcd: Partial<ServerOptions['etcd']>
}

/** One line of a table of settings, which puts values into a draft `D`: parsing, checks, help and README are all made from it. */
export interface Setting<D = Draft> {
  /** Where it stands in the settings file, as `history.retainSeconds`. */
  path: string
  /** The flag without its dashes, as `history-retain-seconds`. */
  flag: string
  /** The environment variable, as `PLATFORM_HISTORY_RETAIN_SECONDS`. */
  env: string
  /** Where it stands in the options of `startServer`, as `history.retainSeconds`. */
  option: string
  /** Its values there. */
  inCode: CodeValues
  /** False: it cannot stand in the settings file. */
  inFile: boolean
  /** Its value is never printed. */
  secret: boolean
  /** The flag alone means `true`, and the settings file may have the YAML word. */
  isSwitch: boolean
  placeholder: string
  /** Ends the sentence "… must be". */
  mustBe: string
  /** How the help shows the default; empty: there is none. */
  defaultText: string
  description: string
  /** What to do to the draft for this value; undefined: the text is no such value. */
  read: (text: string) => ((draft: D) => void) | undefined
}

export interface SettingSpec<T, D = Draft> {
  kind: ValueKind<T>
  /** Shown only: the value itself comes from `serverOptions`. */
  default?: string | number | undefined
  description: string
  /** Default: its path. */
  option?: string
  secret?: true
  notInFile?: true
  assign(draft: D, value: T): void
}

/** A setting whose flag and environment variable follow from its path, so that the three cannot disagree. */
export function setting<T, D = Draft>(path: string, spec: SettingSpec<T, D>): Setting<D> {
  const flag = kebabCase(path)
  return {
    path,
    flag,
    env: `PLATFORM_${flag.replaceAll('-', '_').toUpperCase()}`,
    option: spec.option ?? path,
    inCode: codeValues(spec.kind),
    inFile: spec.notInFile !== true,
    secret: spec.secret === true,
    isSwitch: spec.kind.isSwitch === true,
    placeholder: spec.kind.placeholder,
    mustBe: spec.kind.mustBe,
    defaultText: String(spec.default ?? ''),
    description: spec.description,
    read(text) {
      const value = spec.kind.parse(text)
      return value === undefined ? undefined : (draft) => spec.assign(draft, value)
    },
  }
}

function kebabCase(path: string): string {
  return path.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
