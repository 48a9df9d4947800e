import { defaultServerOptions as defaults } from '../../runtime/options/serverOptions.ts'
import { setting, type Setting } from './setting.ts'
import { countFromOne, folderPath, interval } from './valueKinds.ts'

/** Settings of scheduled backups. */
export const scheduleSettings: readonly Setting[] = [
  setting('backup.dir', {
    kind: folderPath,
    option: 'backup.folder',
    description:
      'Folder for scheduled backups; created if it does not exist. With several servers over one etcd, the leader ' +
      'writes them: give all servers the same folder. Unset: no scheduled backups.',
    assign: (draft, value) => void (draft.backup.folder = value),
  }),
  setting('backup.interval', {
    kind: interval,
    option: 'backup.intervalMs',
    default: '24h',
    description:
      'Time from one backup to the next, also across restarts. A failed backup is tried again within 5 minutes.',
    assign: (draft, value) => void (draft.backup.intervalMs = value),
  }),
  setting('backup.keep', {
    kind: countFromOne,
    default: defaults.backup.keep,
    description:
      'Number of backups to keep; older ones are removed after the next one is complete.',
    assign: (draft, value) => void (draft.backup.keep = value),
  }),
]
