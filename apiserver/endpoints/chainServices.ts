import type { Clock } from '../meta/clock.ts'
import type { ProtobufCodec } from '../encoding/protobuf/protobufCodec.ts'
import type { UserInfo } from '../meta/types.ts'

/** What the filters need beside the exchange. */
export interface ChainServices {
  /** The protobuf form of the built-in kinds. */
  protobuf: ProtobufCodec
  /** Whether a page of this origin may call; undefined: no origins are set. */
  allowsOrigin: ((origin: string) => boolean) | undefined
  clock: Clock
  authenticator: Authenticator
  limits: InFlightLimits
  /** Told of errors that are nobody's request: bugs. */
  report: (error: unknown) => void
}

/** Finds who a bearer token stands for; undefined: nobody. */
export interface Authenticator {
  authenticate(token: string): UserInfo | undefined | Promise<UserInfo | undefined>
}

/** How many requests run at once, and how many may. Watches do not count. */
export interface InFlightLimits {
  maxReadOnly: number
  maxMutating: number
  readOnly: number
  mutating: number
}
