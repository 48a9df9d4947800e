import { connectorsOf, type Connectors } from './connectors.ts'
import type { LoginServices } from './loginServices.ts'

/** Users reach a server at few addresses. More than these are what somebody made up. */
const maxAddresses = 8

/** The connectors of the configuration that is in force. They are made anew when it is another, and for each address that
 *  users reach the server at, since a provider sends them back there. */
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
    // What is wrong with a configuration is so at every address.
    if (this.#byAddress.size === 0) for (const error of made.errors) report(error)
    if (this.#byAddress.size >= maxAddresses) {
      this.#byAddress.delete(this.#byAddress.keys().next().value ?? '')
    }
    this.#byAddress.set(publicUrl, made)
    return made
  }
}
