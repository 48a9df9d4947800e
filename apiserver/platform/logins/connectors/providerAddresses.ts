import { defaultNames, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { GitHostAAddresses } from './gitHostA.ts'
import type { IdentityAAddresses } from './identityA.ts'
import type { IdentityBAddresses } from './identityB.ts'

type Provider = 'gitHostA' | 'gitHostB' | 'identityA' | 'identityB'
type Environment = Readonly<Record<string, string | undefined>>

/**
 * Addresses of public services, read from the environment; by default they are derived from the service's name in the
 * names profile. A neutral name has no address.
 */
export class ProviderAddresses {
  readonly #names: NamesProfile
  readonly #environment: Environment

  constructor(names: NamesProfile, environment: Environment) {
    this.#names = names
    this.#environment = environment
  }

  gitHostA(hostName: string | undefined): GitHostAAddresses {
    if (hostName !== undefined && hostName !== '') {
      return { url: `https://${hostName}`, apiUrl: `https://${hostName}/api/v3` }
    }
    return {
      url: this.#address('gitHostA', 'URL', (name) => `https://${name}.com`),
      apiUrl: this.#address('gitHostA', 'API_URL', (name) => `https://api.${name}.com`),
    }
  }

  gitHostB(baseUrl: string | undefined): string {
    if (baseUrl !== undefined && baseUrl !== '') return baseUrl.replace(/\/+$/, '')
    return this.#address('gitHostB', 'URL', (name) => `https://${name}.com`)
  }

  identityA(): IdentityAAddresses {
    const scope = 'auth/admin.directory.group.readonly'
    return {
      issuer: this.#address('identityA', 'ISSUER', (name) => `https://accounts.${name}.com`),
      directoryUrl: this.#address(
        'identityA',
        'DIRECTORY_URL',
        (name) => `https://admin.${name}apis.com/admin/directory/v1`,
      ),
      directoryScope: `https://www.${this.#names.identityA}apis.com/${scope}`,
    }
  }

  identityB(): IdentityBAddresses {
    return {
      url: this.#address('identityB', 'URL', (name) => `https://login.${name}online.com`),
      apiUrl: this.#address('identityB', 'API_URL', (name) => `https://graph.${name}.com/v1.0`),
    }
  }

  #address(provider: Provider, suffix: string, make: (name: string) => string): string {
    const name = this.#names[provider]
    const variable = `${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_${suffix}`
    const given = this.#environment[variable] ?? ''
    if (given !== '') return given.replace(/\/+$/, '')
    if (name !== defaultNames[provider]) return make(name.toLowerCase())
    throw new Error(`the address of ${name} is not known: the environment has no ${variable}`)
  }
}
