/** Prefix of what servers over one storage share, beside the planes. No API shows it, and backups leave it out. */
export const serverPrefix = '/server/'
/** Prefix of shared secrets; rules for Secrets encrypt them. */
export const secretPrefix = `${serverPrefix}core/secrets/`
