package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/report/growth"
)

func main() {
	ctx := context.Background()
	addKey := growth.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", os.Getenv("GROWTH_API_KEY"))
		return nil
	})
	client, err := growth.NewClientWithResponses(os.Getenv("GROWTH_URL"), addKey)
	if err != nil {
		log.Fatal(err)
	}
	limit, clock, channel := 5, os.Getenv("GROWTH_CLOCK"), os.Getenv("GROWTH_CHANNEL")
	page, err := client.ListAlertsWithResponse(ctx, &growth.ListAlertsParams{Limit: &limit, XTestClock: &clock})
	if err != nil || page.JSON200 == nil {
		log.Fatal(err, page)
	}
	input := growth.TrackCreatorInput{ChannelId: &channel}
	tracked, err := client.TrackCreatorWithResponse(ctx, nil, input)
	if err != nil || tracked.JSON200 == nil {
		log.Fatal(err, tracked)
	}
	failure, err := client.GetTrackedCreatorWithResponse(ctx, "UC_nobody-has-this-12345", nil)
	if err != nil || failure.JSON404 == nil {
		log.Fatal(err, failure)
	}
	fmt.Println(len(page.JSON200.Alerts), tracked.JSON200.Creator.ChannelId, failure.StatusCode(), failure.JSON404.Code)
}
