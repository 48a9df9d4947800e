import { connectorsOf, type Connectors } from './connectors.ts'
import type { LoginServices } from './loginServices.ts'

/** Maximum number of addresses: users reach a server at a few, but clients can claim any. */
const maxAddresses = 8

/**
 * The connectors of the configuration in effect. They are created again when it changes, and for each address of the
 * server, since providers redirect back to it.
 */
export class CurrentConnectors {
  readonly #services: LoginServices
  readonly #byAddress = new Map<string, Connectors>()
  #auth: object | undefined

  constructor(services: LoginServices) {
    this.#services = services
  }

  at(publicUrl: string): Connectors {
    const { auth } = this.#services.settings()
    if (this.#auth !== auth) this.#byAddress.clear()
    this.#auth = auth
    const known = this.#byAddress.get(publicUrl)
    if (known !== undefined) return known
    const { names, clock, environment, report } = this.#services
    const made = connectorsOf({ names, clock, environment, auth, publicUrl })
    // A configuration has the same errors at every address.
    if (this.#byAddress.size === 0) for (const error of made.errors) report(error)
    if (this.#byAddress.size >= maxAddresses) {
      this.#byAddress.delete(this.#byAddress.keys().next().value ?? '')
    }
    this.#byAddress.set(publicUrl, made)
    return made
  }
}
