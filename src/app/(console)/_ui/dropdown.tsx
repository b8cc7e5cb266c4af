import { IconChevronDown } from "@tabler/icons-react";
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useId, useRef, useState } from "react";
import styles from "./dropdown.module.css";

interface DropdownProps {
  /** What the button says, beside an icon or an arrow, and its accessible name where that differs. */
  text?: ReactNode;
  icon?: ReactNode;
  hasArrow?: boolean;
  label?: string;
  className?: string;
  /** Whether what it holds is set, where it is a pill. */
  isOn?: boolean;
  button?: RefObject<HTMLButtonElement | null>;
  title: string;
  children: ReactNode;
}

/** Closes the dropdown that a component is in. */
export const CloseDropdown = createContext(() => {});

/** A button that opens a panel beside it. Escape and a press elsewhere close it, and the next tab stop is inside. */
export function Dropdown({ text, icon, hasArrow, label, className = styles.button, ...props }: DropdownProps) {
  const { isOn, button, title, children } = props;
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  // It may have been opened before this ran.
  useEffect(() => setIsOpen(panel.current?.matches(":popover-open") ?? false), []);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        data-on={isOn || undefined}
        aria-label={label}
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        {icon} {text} {hasArrow && <IconChevronDown size={14} aria-hidden />}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={title}
        className={styles.panel}
        onToggle={({ newState }) => setIsOpen(newState === "open")}
      >
        {isOpen && <CloseDropdown value={() => panel.current?.hidePopover()}>{children}</CloseDropdown>}
      </div>
    </>
  );
}

interface DropdownItemProps {
  isDanger?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A choice in a dropdown, which it closes. */
export function DropdownItem({ isDanger, onClick, children }: DropdownItemProps) {
  const close = useContext(CloseDropdown);
  const choose = () => {
    close();
    onClick();
  };
  const className = isDanger ? `${styles.item} ${styles.danger}` : styles.item;
  return (
    <button type="button" dir="auto" className={className} onClick={choose}>
      {children}
    </button>
  );
}
