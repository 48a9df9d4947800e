/** Prefix of state shared by servers, apart from planes. No API shows it, and backups omit it. */
export const serverPrefix = '/server/'
/** Prefix of shared secrets; rules for Secrets encrypt them. */
export const secretPrefix = `${serverPrefix}core/secrets/`
