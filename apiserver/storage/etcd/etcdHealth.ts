import type { Clock, Timer } from '../../meta/clock.ts'
import { StorageError } from '../errors.ts'
import { toStorageError } from './callErrors.ts'
import type { EtcdClient } from './etcdClient.ts'
import type { KeySpace } from './keySpace.ts'

export interface HealthOptions {
  client: EtcdClient
  space: KeySpace
  clock: Clock
  /** Timeout of a health check. */
  timeoutMs: number
  onFailure: (error: StorageError) => void
  onRecovered: () => void
}

const probeEveryMs = 2_000

/** Health of etcd for reads and writes, checked periodically. */
export class Health {
  readonly #options: HealthOptions
  /** Failure reported by etcd itself. */
  #failure: StorageError | undefined
  /** Set if the state in etcd differs from the one served before. Permanent. */
  #refusal: StorageError | undefined
  #timer: Timer | undefined
  #probing: Promise<void> | undefined
  #isStopped = false

  constructor(options: HealthOptions) {
    this.#options = options
  }

  get failure(): StorageError | undefined {
    return this.#refusal ?? this.#failure
  }

  /** Error of all reads and writes; undefined: healthy. */
  get refusal(): StorageError | undefined {
    return this.#refusal
  }

  refuse(error: StorageError): void {
    if (this.#refusal !== undefined) return
    this.#refusal = error
    this.#options.onFailure(error)
  }

  start(): void {
    this.#timer = this.#options.clock.setTimer(() => {
      this.#probing = this.#probe().finally(() => {
        if (!this.#isStopped) this.start()
      })
    }, probeEveryMs)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.cancel()
    await this.#probing
  }

  /** Checks etcd. Never rejects. */
  async #probe(): Promise<void> {
    const { client, space, timeoutMs } = this.#options
    try {
      await client.range({ key: space.format, keysOnly: true }, timeoutMs)
      const { errors } = await client.status(timeoutMs)
      const alarm = errors.find((error) => /NOSPACE|CORRUPT/.test(error))
      this.#note(alarm === undefined ? undefined : alarmError(alarm))
    } catch (error) {
      this.#note(toStorageError(error, 'etcd does not answer'))
    }
  }

  #note(failure: StorageError | undefined): void {
    const before = this.#failure
    this.#failure = failure
    if (this.#isStopped || before?.message === failure?.message) return
    if (failure !== undefined) this.#options.onFailure(failure)
    else if (this.#refusal === undefined) this.#options.onRecovered()
  }
}

function alarmError(alarm: string): StorageError {
  return alarm.includes('NOSPACE')
    ? new StorageError(
        'NoSpace',
        'etcd has no space left and takes deletions alone: compact and defragment it, then disarm its alarm',
      )
    : new StorageError('Unavailable', `etcd has raised an alarm: ${alarm}`)
}
