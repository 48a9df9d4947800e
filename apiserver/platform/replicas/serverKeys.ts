/** Prefix of state that servers over one storage share, apart from planes. No API shows it, and backups leave it out. */
export const serverPrefix = '/server/'
/** Prefix of shared secrets; rules for Secrets encrypt them. */
export const secretPrefix = `${serverPrefix}core/secrets/`
