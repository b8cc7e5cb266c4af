"use client";

import { Kbd, Modal, Table } from "@mantine/core";

const SHORTCUTS = [
  { keys: ["Ctrl or ⌘", "K"], does: "Open the command menu" },
  { keys: ["?"], does: "Show these shortcuts" },
  { keys: ["Esc"], does: "Close what is open" },
  { keys: ["Tab"], does: "Go to the next control; the first on a page skips to its content" },
];

/** A dialog's header is not the page's. */
const HEADER = { header: { role: "none" } };

/** The keys that do something everywhere in the console. */
export function Shortcuts({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Keyboard shortcuts"
      attributes={HEADER}
      closeButtonProps={{ "aria-label": "Close the shortcuts" }}
    >
      <Table>
        <Table.Tbody>
          {SHORTCUTS.map(({ keys, does }) => (
            <Table.Tr key={does}>
              <Table.Th scope="row" style={{ whiteSpace: "nowrap" }}>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Th>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
