import { Drawer, type DrawerProps, Kbd, Modal, Table } from "@mantine/core";
import styles from "./shell.module.css";

const SHORTCUTS = [
  { keys: ["Ctrl or ⌘", "K"], does: "Open the command menu" },
  { keys: ["?"], does: "Show these shortcuts" },
  { keys: ["Esc"], does: "Close the open dialog or menu" },
  { keys: ["J", "K"], does: "Alerts: go to the next or previous one" },
  { keys: ["J", "K"], does: "Creator: go to the next or previous one of the list" },
  { keys: ["Enter"], does: "Alerts: open or close the one in focus" },
  { keys: ["U"], does: "Alerts: mark the one in focus as read or unread" },
  { keys: ["Tab"], does: "Go to the next control. The first one skips to the content" },
];

/** The keyboard shortcuts of the console. */
export function Shortcuts({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Keyboard shortcuts"
      // A dialog's header must not be a banner landmark.
      attributes={{ header: { role: "none" } }}
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

/** The navigation on narrow screens. */
export function MenuDrawer(props: Pick<DrawerProps, "opened" | "onClose" | "children">) {
  return (
    <Drawer
      {...props}
      size={280}
      title="Menu"
      // A drawer's header must not be a banner landmark.
      attributes={{ header: { role: "none" } }}
      closeButtonProps={{ "aria-label": "Close the menu" }}
      classNames={{ body: styles.drawer }}
    />
  );
}
