import { AuditLog, type AuditLogOptions } from '../audit/auditLog.ts'
import type { ManagementPlane } from './managementPlane.ts'

/** Opens the audit log, which follows the configuration. */
export function openAudit(
  { config }: Pick<ManagementPlane, 'config'>,
  rest: Omit<AuditLogOptions, 'settings'>,
): AuditLog {
  const log = new AuditLog({ ...rest, settings: config.current().audit })
  config.onChange(({ audit }) => log.update(audit))
  return log
}
