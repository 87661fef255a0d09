import type { DraftFile, Finding } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';

interface FileTreeProps {
  readonly files: readonly DraftFile[];
  readonly findings: readonly Finding[];
  readonly open: string | null;
  readonly onOpen: (path: string) => void;
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The files by their folders, each with how many findings it has. What is no text is listed and not opened. */
export function FileTree({ files, findings, open, onOpen }: FileTreeProps) {
  const { draft: words } = useMessages();
  const byFolder = Map.groupBy(files, (file) => folderOf(file.path));
  const count = (path: string, severity: Finding['severity']) =>
    findings.filter((finding) => finding.file === path && finding.severity === severity).length;
  return (
    <nav className="workbench-tree" aria-label={words.files}>
      {[...byFolder].map(([folder, inside]) => (
        <section key={folder}>
          <h2 className="label">{folder === '' ? words.root : folder}</h2>
          <ul>
            {inside.map((file) => {
              const name = file.path.slice(folder === '' ? 0 : folder.length + 1);
              const [errors, warnings] = [count(file.path, 'error'), count(file.path, 'warning')];
              return (
                <li key={file.path}>
                  {file.editable ? (
                    <button
                      type="button"
                      aria-current={file.path === open ? 'true' : undefined}
                      onClick={() => onOpen(file.path)}
                    >
                      {name}
                    </button>
                  ) : (
                    <span className="muted">{name}</span>
                  )}
                  {errors + warnings > 0 && (
                    <small data-severity={errors > 0 ? 'error' : 'warning'}>{words.counts(errors, warnings)}</small>
                  )}
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </nav>
  );
}
