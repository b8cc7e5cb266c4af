package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"example.com/report/growth"
)

type key struct{}

func (key) ApiKey(context.Context, growth.OperationName) (growth.ApiKey, error) {
	return growth.ApiKey{APIKey: os.Getenv("GROWTH_API_KEY")}, nil
}

func main() {
	ctx := context.Background()
	client, err := growth.NewClient(os.Getenv("GROWTH_URL"), key{})
	if err != nil {
		log.Fatal(err)
	}
	clock := growth.NewOptString(os.Getenv("GROWTH_CLOCK"))
	listed, err := client.ListAlerts(ctx, growth.ListAlertsParams{Limit: growth.NewOptInt(5), XTestClock: clock})
	page, ok := listed.(*growth.ListAlertsAnswerHeaders)
	if !ok {
		log.Fatal(err, listed)
	}
	input := &growth.TrackCreatorInput{ChannelID: growth.NewOptString(os.Getenv("GROWTH_CHANNEL"))}
	answer, err := client.TrackCreator(ctx, input, growth.TrackCreatorParams{})
	tracked, ok := answer.(*growth.TrackCreatorAnswerHeaders)
	if !ok {
		log.Fatal(err, answer)
	}
	refused, err := client.GetTrackedCreator(ctx, growth.GetTrackedCreatorParams{ChannelID: "UC_nobody-has-this-12345"})
	failure, ok := refused.(*growth.NotFoundHeaders)
	if !ok {
		log.Fatal(err, refused)
	}
	creator := tracked.Response.Creator.Value
	fmt.Println(len(page.Response.Alerts), creator.ChannelID, 404, failure.Response.Code)
}
