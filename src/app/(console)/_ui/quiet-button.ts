import { Button } from "@mantine/core";

/** A small secondary button. */
export const QuietButton = Button.withProps({ variant: "default", size: "xs" });
