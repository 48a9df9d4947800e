import type { DelegationOptions } from '../../runtime/delegationOptions.ts'
import { setting, type Setting } from './setting.ts'
import { duration, filePath, headerNames, onOrOff, words, type ValueKind } from './valueKinds.ts'

/** Settings for users of other servers. The flags are those of every API server based on the real library. */
export const delegationSettings: readonly Setting[] = [
  one('clientCaFile', filePath, 'clientCaFile', {
    description:
      'PEM file of authorities, read again when it changes. Who shows a client certificate of theirs is the user of its ' +
      'common name, in the groups of its organizations.',
  }),
  one('requestheader.clientCaFile', filePath, 'requestheaderClientCaFile', {
    description:
      'PEM file of the authorities of front proxies, read again when it changes. Who shows a client certificate of ' +
      'theirs says in headers whom a request is from.',
  }),
  one('requestheader.allowedNames', words, 'requestheaderAllowedNames', {
    description: 'Common names that certificates of front proxies may have. Not given: any.',
  }),
  one('requestheader.usernameHeaders', headerNames, 'requestheaderUsernameHeaders', {
    default: 'x-remote-user',
    description: 'Headers for the name of the user; the first with a value counts.',
  }),
  one('requestheader.uidHeaders', headerNames, 'requestheaderUidHeaders', {
    description: "Headers for the user's uid, as x-remote-uid. Not given: none is read.",
  }),
  one('requestheader.groupHeaders', headerNames, 'requestheaderGroupHeaders', {
    default: 'x-remote-group',
    description: 'Headers for groups, one a line.',
  }),
  one('requestheader.extraHeadersPrefix', headerNames, 'requestheaderExtraHeadersPrefix', {
    default: 'x-remote-extra-',
    description: 'What headers with more about the user begin with.',
  }),
  one('authentication.kubeconfig', filePath, 'authenticationKubeconfig', {
    description:
      'Kubeconfig of the API server that is asked whom a token stands for that is none of this server, by TokenReview.',
  }),
  one('authentication.skipLookup', onOrOff, 'authenticationSkipLookup', {
    default: 'false',
    description:
      'true: --client-ca-file and --requestheader-* that are not given are not looked up in the config map ' +
      'extension-apiserver-authentication of that server.',
  }),
  one('authentication.tolerateLookupFailure', onOrOff, 'authenticationTolerateLookupFailure', {
    default: 'false',
    description: 'true: the server starts even where that config map cannot be read.',
  }),
  one('authentication.tokenWebhookCacheTtl', duration, 'authenticationTokenTtlMs', {
    default: '10s',
    description: 'How long an answer about a token holds; 0 asks each time.',
  }),
  one('authorization.kubeconfig', filePath, 'authorizationKubeconfig', {
    description:
      'Kubeconfig of the API server that is asked, by SubjectAccessReview, what users may do who are not of this server ' +
      'and have no right here.',
  }),
  one('authorization.webhookCacheAuthorizedTtl', duration, 'authorizationAllowedTtlMs', {
    default: '10s',
    description: 'How long a yes of that server holds; 0 asks each time.',
  }),
  one('authorization.webhookCacheUnauthorizedTtl', duration, 'authorizationDeniedTtlMs', {
    default: '10s',
    description: 'How long a no of that server holds; 0 asks each time.',
  }),
]

function one<Name extends keyof DelegationOptions>(
  path: string,
  kind: ValueKind<NonNullable<DelegationOptions[Name]>>,
  name: Name,
  words: { default?: string; description: string },
): Setting {
  return setting(path, {
    kind,
    option: `delegation.${name}`,
    ...words,
    assign: (draft, value) => void (draft.delegation[name] = value),
  })
}
